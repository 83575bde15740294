package testenv

import "testing"

// The log of a failed test has no lines of successful requests.
func TestOutput_OmitsSuccessfulRequests(t *testing.T) {
	const log = `ready after 1ms
time=2026-01-01T00:00:00Z level=INFO msg=request method=GET path=/ status=200 duration=1ms requestId=A
time=2026-01-01T00:00:01Z level=INFO msg=request method=GET path=/ status=500 duration=1ms requestId=B
time=2026-01-01T00:00:02Z level=INFO msg=request method=GET path=/graphql status=101 duration=1ms requestId=C
time=2026-01-01T00:00:03Z level=ERROR msg="a request failed"
`
	const want = `ready after 1ms
time=2026-01-01T00:00:01Z level=INFO msg=request method=GET path=/ status=500 duration=1ms requestId=B
time=2026-01-01T00:00:03Z level=ERROR msg="a request failed"
(and 2 requests that went well)
`
	if got := withoutRoutine(log); got != want {
		t.Errorf("the shortened log is\n%s", got)
	}
	if got := withoutRoutine("quiet\n"); got != "quiet\n" {
		t.Errorf("the short log is\n%s", got)
	}
}
