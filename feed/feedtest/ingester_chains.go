package feedtest

import ()
