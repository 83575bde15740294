// The suites of the main paths, which make test runs. browser.test.mjs has all.
import './suites/watch.mjs';
import './suites/operators.mjs'; // before others fill the task queues
import './suites/sign-in.mjs';
import './suites/scroll.mjs';
import './suites/news.mjs';
