package transport

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"strings"
)

// CallbackURLs are the URLs to which subscriptions may be sent, each with all paths below it.
type CallbackURLs []*url.URL

// callbackURLMax is in bytes.
const callbackURLMax = 2 << 10

// ParseCallbackURLs returns a list of URLs such as https://router.example.org/callback, without
// user, query and fragment.
func ParseCallbackURLs(list []string) (CallbackURLs, error) {
	var urls CallbackURLs
	for _, text := range list {
		u, err := parseCallbackURL(text)
		if err != nil || u.RawQuery != "" || u.ForceQuery {
			return nil, fmt.Errorf("%.100q is not a URL such as https://router.example.org/callback", text)
		}
		urls = append(urls, u)
	}
	return urls, nil
}

func parseCallbackURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, err
	case len(text) > callbackURLMax:
		return nil, errors.New("too long")
	case u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "", u.User != nil, u.Fragment != "":
		return nil, errors.New("not an http or https URL without user and fragment")
	case u.Path != "" && path.Clean(u.Path) != u.Path, u.RawPath != "":
		return nil, errors.New("the path is not in its shortest form")
	}
	return u, nil
}

// find returns a URL if it is in the list.
func (l CallbackURLs) find(text string) (*url.URL, bool) {
	u, err := parseCallbackURL(text)
	if err != nil {
		return nil, false
	}
	for _, allowed := range l {
		below, ok := strings.CutPrefix(u.Path, strings.TrimSuffix(allowed.Path, "/"))
		if ok && (below == "" || below[0] == '/') && u.Scheme == allowed.Scheme && strings.EqualFold(u.Host, allowed.Host) {
			return u, true
		}
	}
	return nil, false
}
