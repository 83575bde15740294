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
	// A token without a key id is tried with each key. Providers publish two or three.
	keysMax = 32

	// Smaller RSA keys are insecure, and verifying with larger ones takes milliseconds.
	rsaMin, rsaMax = 2048, 8192
)

type publicKey struct {
	// id is the key id; it can be empty.
	id string
	// algorithms are all that the key can verify.
	algorithms []string
	key        crypto.PublicKey
}

// parseKeySet returns the keys that can verify tokens, in order, and an error for each other key.
func parseKeySet(body []byte) (keys []publicKey, skipped []error, err error) {
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(body, &set); err != nil {
		return nil, nil, fmt.Errorf("not a JSON Web Key Set: %w", err)
	}
	if len(set.Keys) > keysMax {
		return nil, nil, fmt.Errorf("%d keys exceed the maximum of %d", len(set.Keys), keysMax)
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
		return nil, skipped, errors.New("no key can verify tokens")
	}
	return keys, skipped, nil
}

// The key's certificates do not matter: the TLS connection authenticates the provider.
func parseKey(text []byte) (publicKey, error) {
	var wire jwkset.JWKMarshal
	if err := json.Unmarshal(text, &wire); err != nil {
		return publicKey{}, errors.New("not a JSON Web Key")
	}
	if wire.USE != "" && wire.USE != jwkset.UseSig || wire.KEYOPS != nil && !slices.Contains(wire.KEYOPS, jwkset.KeyOpsVerify) {
		return publicKey{}, errors.New("not for verifying signatures")
	}
	wire.X5C, wire.X5U, wire.X5T, wire.X5TS256 = nil, "", "", ""
	// Accept private keys here, so that algorithmsOf can refuse them.
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
			return publicKey{}, fmt.Errorf("the type does not support the algorithm %.20q", only)
		}
		algorithms = []string{only}
	}
	return publicKey{id: wire.KID, algorithms: algorithms, key: parsed.Key()}, nil
}

// algorithmsOf fails for private keys, which are compromised once published, and for symmetric
// ones.
func algorithmsOf(key any) ([]string, error) {
	switch key := key.(type) {
	case *rsa.PublicKey:
		if bits := key.N.BitLen(); bits < rsaMin || bits > rsaMax || key.N.Bit(0) == 0 || key.E%2 == 0 {
			return nil, fmt.Errorf("not an RSA key of %d to %d bits", rsaMin, rsaMax)
		}
		return []string{"RS256", "RS384", "RS512", "PS256", "PS384", "PS512"}, nil
	case *ecdsa.PublicKey:
		return []string{map[string]string{"P-256": "ES256", "P-384": "ES384", "P-521": "ES512"}[key.Params().Name]}, nil
	case ed25519.PublicKey:
		return []string{"EdDSA"}, nil
	}
	return nil, fmt.Errorf("keys of type %T cannot verify tokens", key)
}
