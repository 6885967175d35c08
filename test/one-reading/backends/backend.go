// A server of Go's net/http that answers with how it has read each request: the fields of report.ts, between unit separators.
package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"path"
	"strings"
)

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	panic(http.Serve(listener, http.HandlerFunc(answer)))
}

func answer(w http.ResponseWriter, r *http.Request) {
	length, _ := io.Copy(io.Discard, r.Body)
	fields := []string{
		"go", r.Method, r.RequestURI, r.Host, r.URL.Path, path.Clean("/" + r.URL.Path),
		r.Header.Get("X-Forwarded-Prefix"), r.Header.Get("X-Forwarded-For"), r.Header.Get("X-Real-Ip"),
		r.Header.Get("X-Forwarded-Proto"), r.Header.Get("X-Forwarded-Host"), r.Header.Get("X-User"),
		r.Header.Get("X-Request-Id"), fmt.Sprint(length),
	}
	io.WriteString(w, strings.Join(fields, "\x1f"))
}
