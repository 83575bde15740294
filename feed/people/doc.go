// Package people manages accounts, the directory of users with its search, the relations between
// users (follow, mute, hide, block), and the record of their activity.
package people
