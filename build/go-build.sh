# Sourced before Go's compiler is asked for what the tests need: all of it by the same flags, so that what one has compiled the other takes.

# go_compile COMMAND ARGUMENT...: a compiler that inlines nothing and collects its garbage late takes half the time.
go_compile() {
	command=$1
	shift
	CGO_ENABLED=0 GOGC=off GOMEMLIMIT=1500MiB go "$command" -trimpath -gcflags='all=-dwarf=false -l' "$@"
}

go_build() { go_compile build "$@"; }
