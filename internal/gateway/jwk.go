package gateway

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
)

const (
	// keysMax is how many keys of a set are looked at. A token without a key id is
	// tried with each; providers publish two or three.
	keysMax = 32

	// The sizes of RSA keys in bits: below the first they can be broken, above the
	// second a signature takes milliseconds to verify.
	rsaMin, rsaMax = 2048, 8192
)

// publicKey is one key of a set.
type publicKey struct {
	// id is the key's name in the headers of tokens; it may be empty.
	id string
	// algorithms are those it may verify, and no other.
	algorithms []string
	key        crypto.PublicKey
}

// wireKey is a key as RFC 7517 and RFC 7518 write it.
type wireKey struct {
	Type       string   `json:"kty"`
	ID         string   `json:"kid"`
	Use        string   `json:"use"`
	Operations []string `json:"key_ops"`
	Algorithm  string   `json:"alg"`
	Curve      string   `json:"crv"`
	N          string   `json:"n"`
	E          string   `json:"e"`
	X          string   `json:"x"`
	Y          string   `json:"y"`
	// D is there in private keys only.
	D json.RawMessage `json:"d"`
}

// parseKeySet returns the keys of a set that may verify tokens, in its order, and why
// others may not. A set in which one key is not understood still has the others.
func parseKeySet(body []byte) (keys []publicKey, passedOver []error, err error) {
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(body, &set); err != nil {
		return nil, nil, fmt.Errorf("it is not a JSON Web Key Set: %w", err)
	}
	if len(set.Keys) > keysMax {
		return nil, nil, fmt.Errorf("it has %d keys; %d are the most that are looked at", len(set.Keys), keysMax)
	}
	for i, text := range set.Keys {
		key, err := parseKey(text)
		if err != nil {
			passedOver = append(passedOver, fmt.Errorf("key %d: %w", i, err))
			continue
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, passedOver, errors.New("it has no key that verifies tokens")
	}
	return keys, passedOver, nil
}

func parseKey(text []byte) (publicKey, error) {
	var w wireKey
	if err := json.Unmarshal(text, &w); err != nil {
		return publicKey{}, errors.New("it is not a JSON Web Key")
	}
	switch {
	case w.Use != "" && w.Use != "sig", w.Operations != nil && !slices.Contains(w.Operations, "verify"):
		return publicKey{}, errors.New("it is not for verifying")
	case w.D != nil:
		// Who publishes a private key has lost it.
		return publicKey{}, errors.New("it is private")
	}
	key, algorithms, err := w.material()
	if err != nil {
		return publicKey{}, err
	}
	if w.Algorithm != "" {
		if !slices.Contains(algorithms, w.Algorithm) {
			return publicKey{}, fmt.Errorf("its type does not go with the algorithm %.20q", w.Algorithm)
		}
		algorithms = []string{w.Algorithm}
	}
	return publicKey{id: w.ID, algorithms: algorithms, key: key}, nil
}

// material returns the key itself and the algorithms of its type. Symmetric keys have
// no place in a set that everybody may read.
func (w *wireKey) material() (crypto.PublicKey, []string, error) {
	switch w.Type + " " + w.Curve {
	case "RSA ":
		key, err := w.rsa()
		return key, []string{"RS256", "RS384", "RS512", "PS256", "PS384", "PS512"}, err
	case "EC P-256":
		key, err := w.ecdsa(elliptic.P256())
		return key, []string{"ES256"}, err
	case "EC P-384":
		key, err := w.ecdsa(elliptic.P384())
		return key, []string{"ES384"}, err
	case "EC P-521":
		key, err := w.ecdsa(elliptic.P521())
		return key, []string{"ES512"}, err
	case "OKP Ed25519":
		key, err := octets(w.X)
		if err == nil && len(key) != ed25519.PublicKeySize {
			err = errors.New("it is not a key of Ed25519")
		}
		return ed25519.PublicKey(key), []string{"EdDSA"}, err
	}
	return nil, nil, fmt.Errorf("its type %.20q is not supported", w.Type)
}

func (w *wireKey) rsa() (*rsa.PublicKey, error) {
	n, errN := octets(w.N)
	e, errE := octets(w.E)
	if err := errors.Join(errN, errE); err != nil {
		return nil, err
	}
	modulus, exponent := new(big.Int).SetBytes(n), new(big.Int).SetBytes(e)
	if bits := modulus.BitLen(); bits < rsaMin || bits > rsaMax || modulus.Bit(0) == 0 {
		return nil, fmt.Errorf("it is an RSA key of %d bits; %d to %d are accepted", bits, rsaMin, rsaMax)
	}
	// The exponent is an odd number that Go's library can hold; 65537 everywhere.
	if exponent.BitLen() > 31 || exponent.BitLen() < 2 || exponent.Bit(0) == 0 {
		return nil, errors.New("its exponent is not one of an RSA key")
	}
	return &rsa.PublicKey{N: modulus, E: int(exponent.Int64())}, nil
}

func (w *wireKey) ecdsa(curve elliptic.Curve) (*ecdsa.PublicKey, error) {
	x, errX := octets(w.X)
	y, errY := octets(w.Y)
	if err := errors.Join(errX, errY); err != nil {
		return nil, err
	}
	if size := (curve.Params().BitSize + 7) / 8; len(x) != size || len(y) != size {
		return nil, errors.New("its coordinates are not of the curve's length")
	}
	// Refuses points that are not on the curve.
	return ecdsa.ParseUncompressedPublicKey(curve, slices.Concat([]byte{4}, x, y))
}

func octets(text string) ([]byte, error) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(b) == 0 {
		return nil, errors.New("one of its numbers is not base64url")
	}
	return b, nil
}
