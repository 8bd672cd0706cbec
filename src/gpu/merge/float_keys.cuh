// SPDX-License-Identifier: Apache-2.0
//
// Floats of a tile in shared memory as integers that have their order: two are compared by one
// instruction, unless one of the tile's is a NaN. The order's text (codegen/order_function.c) says
// what they are like; elements that are no floats stay as they are.
#pragma once

enum { HK_AS_IS, HK_AS_KEYS, HK_AS_KEYS_WITH_NAN };

#if defined(HK_FLOAT_MASK)
#define HK_FLOATS 1

// The key of an element's bits; also the bits of a key.
HK_FN hk_in_0 hk_flip(hk_in_0 x)
{
    return (hk_in_0)(x ^ (x < 0 ? HK_FLOAT_MASK : 0));
}

HK_FN bool hk_is_nan(hk_in_0 x)
{
    return (x & HK_FLOAT_MASK) > HK_FLOAT_INFINITY;
}

// Keys of NaN are all equal.
HK_FN hk_in_0 hk_joined(hk_in_0 key)
{
    const bool nan = key > HK_FLOAT_INFINITY || key < -HK_FLOAT_INFINITY - 1;
    return (hk_in_0)(nan ? HK_FLOAT_NAN : key);
}

HK_FN bool hk_key_before(hk_in_0 a, hk_in_0 b)
{
    return HK_BACKWARDS ? b HK_FLOAT_BEFORE a : a HK_FLOAT_BEFORE b;
}

#else
#define HK_FLOATS 0

HK_FN hk_in_0 hk_flip(hk_in_0 x)
{
    return x;
}

HK_FN bool hk_is_nan(const hk_in_0 &x)
{
    return false;
}

HK_FN hk_in_0 hk_joined(hk_in_0 key)
{
    return key;
}

HK_FN bool hk_key_before(const hk_in_0 &a, const hk_in_0 &b)
{
    return hk_before(a, b);
}
#endif

HK_FN bool hk_before_as(const hk_in_0 &a, const hk_in_0 &b, int as)
{
    if (as == HK_AS_IS) return hk_before(a, b);
    return as == HK_AS_KEYS ? hk_key_before(a, b) : hk_key_before(hk_joined(a), hk_joined(b));
}
