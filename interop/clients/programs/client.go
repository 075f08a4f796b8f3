// Sends the requests of the tests with net/http and prints the answers: client.go <url> kept|chunked
package main

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
)

func send(method, target string, body io.Reader) {
	request, err := http.NewRequest(method, target, body)
	if err != nil {
		panic(err)
	}
	show(http.DefaultClient.Do(request))
}

func show(response *http.Response, err error) {
	if err != nil {
		panic(err)
	}
	text, err := io.ReadAll(response.Body)
	if err != nil {
		panic(err)
	}
	response.Body.Close()
	fmt.Println(string(text))
}

func main() {
	base := os.Args[1]
	if os.Args[2] == "chunked" {
		// A reader of unknown length.
		send("POST", base+"/chunked", io.MultiReader(strings.NewReader("hello")))
		return
	}
	send("GET", base+"/1?q=a%20b", nil)
	send("POST", base+"/2", strings.NewReader("hello"))
	send("PUT", base+"/3", strings.NewReader(strings.Repeat("x", 100000)))
	send("DELETE", base+"/4", nil)
	show(http.PostForm(base+"/5", url.Values{"a": {"1"}, "b": {"2 + 3"}}))
}
