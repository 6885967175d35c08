module wick.dev/one-reading

go 1.24
