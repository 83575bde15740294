// Package people is what users are to each other and to the service: accounts, the directory of
// users and its search, follows, mutes, hides and blocks, and when users were active.
package people
