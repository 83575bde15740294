package testenv

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/tideline-feeds/tideline/internal/eventually"
)

// ask sends a server one command and returns the reply: a line, a number as text, or a bulk string.
// The protocol for this is so simple that it needs no client library.
func (s *RedisServer) ask(command string) (string, error) {
	conn, err := net.DialTimeout("tcp", s.Addr(), eventually.Limit)
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close() }()
	if err := conn.SetDeadline(time.Now().Add(eventually.Limit)); err != nil {
		return "", err
	}
	if _, err := fmt.Fprintf(conn, "%s\r\n", command); err != nil {
		return "", err
	}
	return readAnswer(bufio.NewReader(conn))
}

// readAnswer reads one reply that is not a list.
func readAnswer(r *bufio.Reader) (string, error) {
	line, err := r.ReadString('\n')
	if err != nil {
		return "", err
	}
	kind, rest := line[0], strings.TrimSpace(line[1:])
	switch kind {
	case '+', ':':
		return rest, nil
	case '$':
		n, err := strconv.Atoi(rest)
		if err != nil || n < 0 {
			return "", err
		}
		text := make([]byte, n)
		_, err = io.ReadFull(r, text)
		return string(text), err
	}
	return "", errors.New(rest)
}

// says reports whether the server is up and its reply to a command contains a line.
func (s *RedisServer) says(command, line string) bool {
	if !s.Running() {
		return false
	}
	reply, err := s.ask(command)
	if err != nil {
		return false
	}
	for got := range strings.Lines(reply) {
		if strings.TrimSpace(got) == line {
			return true
		}
	}
	return false
}
