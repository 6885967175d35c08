# Sourced before Go's compiler is asked for what the tests need: all of it by the same flags, so that what one has compiled the other takes.

# go_build ARGUMENT...: a compiler that inlines nothing and collects its garbage late takes half the time.
go_build() { CGO_ENABLED=0 GOGC=off GOMEMLIMIT=1500MiB go build -trimpath -gcflags='all=-dwarf=false -l' "$@"; }
