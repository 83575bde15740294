// All suites, in one process that shares one Chromium.
import './suites/watch.mjs';
import './suites/operators.mjs'; // before others fill the task queues
import './suites/sign-in.mjs';
import './suites/scroll.mjs';
import './suites/news.mjs';
import './suites/reading.mjs';
import './suites/posting.mjs';
import './suites/people.mjs';
import './suites/special.mjs';
import './suites/lists.mjs';
import './suites/private.mjs';
import './suites/moderation.mjs';
import './suites/live.mjs';
import './suites/trouble.mjs';
import './suites/keyboard.mjs';
import './suites/pages.mjs';
