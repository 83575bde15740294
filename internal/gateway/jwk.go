package gateway

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/MicahParks/jwkset"
)

const (
	// keysMax is how many keys a set may have. A token without a key id is tried with
	// each; providers publish two or three.
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

// parseKeySet returns the keys of a set that may verify tokens, in its order, and for each
// other key why it is skipped. A set in which one key is invalid still has the others.
func parseKeySet(body []byte) (keys []publicKey, skipped []error, err error) {
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(body, &set); err != nil {
		return nil, nil, fmt.Errorf("it is not a JSON Web Key Set: %w", err)
	}
	if len(set.Keys) > keysMax {
		return nil, nil, fmt.Errorf("it has %d keys; at most %d are accepted", len(set.Keys), keysMax)
	}
	for i, text := range set.Keys {
		key, err := parseKey(text)
		if err != nil {
			skipped = append(skipped, fmt.Errorf("key %d: %w", i, err))
			continue
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, skipped, errors.New("it has no key that verifies tokens")
	}
	return keys, skipped, nil
}

// parseKey parses one key. Certificates that come with it are ignored: the TLS connection
// to the provider vouches for the key.
func parseKey(text []byte) (publicKey, error) {
	var wire jwkset.JWKMarshal
	if err := json.Unmarshal(text, &wire); err != nil {
		return publicKey{}, errors.New("it is not a JSON Web Key")
	}
	if wire.USE != "" && wire.USE != jwkset.UseSig || wire.KEYOPS != nil && !slices.Contains(wire.KEYOPS, jwkset.KeyOpsVerify) {
		return publicKey{}, errors.New("it is not for verifying")
	}
	wire.X5C, wire.X5U, wire.X5T, wire.X5TS256 = nil, "", "", ""
	// A private key is parsed as one, so that algorithmsOf refuses it.
	parsed, err := jwkset.NewJWKFromMarshal(wire, jwkset.JWKMarshalOptions{Private: true}, jwkset.JWKValidateOptions{StrictPadding: true})
	if err != nil {
		return publicKey{}, err
	}
	algorithms, err := algorithmsOf(parsed.Key())
	if err != nil {
		return publicKey{}, err
	}
	if only := wire.ALG.String(); only != "" {
		if !slices.Contains(algorithms, only) {
			return publicKey{}, fmt.Errorf("its type does not go with the algorithm %.20q", only)
		}
		algorithms = []string{only}
	}
	return publicKey{id: wire.KID, algorithms: algorithms, key: parsed.Key()}, nil
}

// algorithmsOf returns the algorithms that a key may verify. It fails for private keys,
// whose secret is lost once they are published, and for symmetric ones, which have no
// place in a set that anyone may read.
func algorithmsOf(key any) ([]string, error) {
	switch key := key.(type) {
	case *rsa.PublicKey:
		if bits := key.N.BitLen(); bits < rsaMin || bits > rsaMax || key.N.Bit(0) == 0 || key.E%2 == 0 {
			return nil, fmt.Errorf("it is no RSA key of %d to %d bits", rsaMin, rsaMax)
		}
		return []string{"RS256", "RS384", "RS512", "PS256", "PS384", "PS512"}, nil
	case *ecdsa.PublicKey:
		return []string{map[string]string{"P-256": "ES256", "P-384": "ES384", "P-521": "ES512"}[key.Params().Name]}, nil
	case ed25519.PublicKey:
		return []string{"EdDSA"}, nil
	}
	return nil, fmt.Errorf("a key of type %T does not verify tokens", key)
}
