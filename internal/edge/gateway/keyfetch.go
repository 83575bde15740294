package gateway

import (
	"context"
	"fmt"
	"io"
	"net/http"
)

// keySetMax is in bytes. Common sets have a few KiB, with certificates about ten.
const keySetMax = 256 << 10

// keyClient follows no redirects: the operator trusts only the URL that they configured.
func keyClient(transport http.RoundTripper) *http.Client {
	return &http.Client{
		Transport: transport,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
	}
}

func download(ctx context.Context, client *http.Client, from string) (keys []publicKey, skipped []error, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return nil, nil, err
	}
	req.Header.Set("Accept", "application/jwk-set+json, application/json")
	resp, err := client.Do(req)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := readAll(resp)
	if err != nil {
		return nil, nil, fmt.Errorf("GET %s: %w", from, err)
	}
	keys, skipped, err = parseKeySet(body)
	if err != nil {
		return nil, skipped, fmt.Errorf("GET %s: %w", from, err)
	}
	return keys, skipped, nil
}

func readAll(resp *http.Response) ([]byte, error) {
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the status is %d", resp.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, keySetMax+1))
	if err == nil && len(body) > keySetMax {
		err = fmt.Errorf("the body is longer than %d bytes", keySetMax)
	}
	return body, err
}
