package feedtest
