// Package mapping makes change records of other payloads, by rules in a file. Ways in that share it
// differ in their kinds of input and in their variables.
//
//	inputs:
//	  com.example.article:          # a kind of input; "*" is any other
//	    - type: post                # each rule makes a record, or none
//	      when: data.state == "published"
//	      fields:
//	        id: =data.id            # after "=", an expression of CEL
//	        author: =data.author.id
//	        kind: POST              # a constant
//	        publishedAt: =millis(data.publishedMs)
//
// The file is YAML or JSON. [Parse] checks it whole. The cost of an expression is bounded.
package mapping
