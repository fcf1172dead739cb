// SPDX-License-Identifier: GPL-2.0-or-later
/* A packet ring: what is refused before the kernel is asked, and blocks walked within their bounds. */
#include <linux/if_packet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "measure/ring.h"
#include "pure/diag.h"

#define PAGE 4096
#define BLOCK (2 * PAGE)

static void test_sizes(void **state)
{
	static const struct {
		struct ring_spec spec;
		uint64_t packet;
		const char *word;	/* of the message; NULL: taken */
	} cases[] = {
		{ { 1 << 20, 4, 2048 }, 902, NULL },
		{ { PAGE, 1, 80 }, 902, NULL },
		{ { 6000, 4, 2048 }, 902, "--block-size 6000" },
		{ { 0, 4, 2048 }, 902, "--block-size 0" },
		{ { 1ull << 32, 4, 2048 }, 902, "--block-size" },
		{ { 1 << 20, 4, 2040 }, 902, "--frame-size 2040" },
		{ { 1 << 20, 4, 0 }, 902, "--frame-size 0" },
		{ { 1 << 20, 4, 64 }, 902, "--frame-size 64" },
		{ { PAGE, 4, 2 * PAGE }, 902, "--frame-size 8192" },
		{ { 1 << 20, 0, 2048 }, 902, "--block-count 0" },
		{ { 1 << 20, 1 << 12, 2048 }, 902, "--block-count 4096" },
		{ { 1 << 20, UINT64_MAX, 2048 }, 902, "--block-count" },
		{ { PAGE, 4, 2048 }, PAGE - 48, "--size 4048" },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct diag d;
		int err;

		diag_init(&d);
		err = ring_check(&d, &cases[i].spec, PAGE, cases[i].packet);
		if (cases[i].word) {
			assert_int_equal(d.exit, EXIT_USAGE);
			assert_true(err < 0);
			if (!strstr(d.text, cases[i].word))
				fail_msg("no '%s' in '%s'", cases[i].word, d.text);
		} else {
			assert_int_equal(err, 0);
		}
		diag_free(&d);
	}
}

/* A packet of @len bytes of @fill at @offset of the block at @base. */
static void packet_put(uint8_t *base, uint32_t offset, uint32_t next, uint32_t len, uint8_t fill)
{
	struct tpacket3_hdr *hdr = (struct tpacket3_hdr *)(base + offset);
	struct sockaddr_ll *ll = (struct sockaddr_ll *)(base + offset +
							TPACKET_ALIGN(sizeof(*hdr)));

	memset(hdr, 0, sizeof(*hdr));
	memset(ll, 0, sizeof(*ll));
	hdr->tp_next_offset = next;
	hdr->tp_snaplen = len;
	hdr->tp_len = len;
	hdr->tp_mac = 82;
	ll->sll_pkttype = fill == 'o' ? PACKET_OUTGOING : PACKET_HOST;
	memset(base + offset + 82, fill, len);
}

static struct tpacket_block_desc *block_put(uint8_t *base, uint32_t status, uint32_t packets)
{
	struct tpacket_block_desc *desc = (struct tpacket_block_desc *)base;

	memset(desc, 0, sizeof(*desc));
	desc->hdr.bh1.block_status = status;
	desc->hdr.bh1.num_pkts = packets;
	desc->hdr.bh1.offset_to_first_pkt = 48;
	return desc;
}

static void test_blocks_in_turn(void **state)
{
	_Alignas(16) static uint8_t map[2 * BLOCK];
	struct ring r = { .fd = -1, .map = map, .block_size = BLOCK, .block_count = 2 };
	struct ring_packet p;
	struct ring_block b;

	block_put(map, TP_STATUS_KERNEL, 0);
	block_put(map + BLOCK, TP_STATUS_USER | TP_STATUS_BLK_TMO, 1);
	assert_false(ring_take(&r, &b));	/* the second one is not its turn */

	block_put(map, TP_STATUS_USER, 2);
	/* starts are multiples of 8, not of 16 */
	packet_put(map, 48, 184, 100, 'a');
	packet_put(map, 48 + 184, 0, 60, 'o');
	assert_true(ring_take(&r, &b));
	assert_false(b.timed_out);
	assert_int_equal(ring_packet(&b, &p), 1);
	assert_int_equal(p.len, 100);
	assert_int_equal(p.data[99], 'a');
	assert_false(p.outgoing);
	assert_int_equal(ring_packet(&b, &p), 1);
	assert_int_equal(p.len, 60);
	assert_true(p.outgoing);
	assert_int_equal(ring_packet(&b, &p), 0);
	ring_release(&r);
	assert_int_equal(((struct tpacket_block_desc *)map)->hdr.bh1.block_status, TP_STATUS_KERNEL);

	assert_true(ring_take(&r, &b));
	assert_true(b.timed_out);
	ring_release(&r);
	assert_int_equal(r.next, 0);
}

static void test_a_block_that_lies_is_not_followed(void **state)
{
	_Alignas(16) static uint8_t map[BLOCK];
	struct ring r = { .fd = -1, .map = map, .block_size = BLOCK, .block_count = 1 };
	struct tpacket_block_desc *desc;
	struct ring_packet p;
	struct ring_block b;

	desc = block_put(map, TP_STATUS_USER, 1);
	desc->hdr.bh1.offset_to_first_pkt = BLOCK - 16;		/* header beyond the end */
	assert_true(ring_take(&r, &b));
	assert_true(ring_packet(&b, &p) < 0);

	desc->hdr.bh1.offset_to_first_pkt = UINT32_MAX - 7;
	assert_true(ring_take(&r, &b));
	assert_true(ring_packet(&b, &p) < 0);

	block_put(map, TP_STATUS_USER, 1);
	packet_put(map, 48, 0, 60, 'a');
	((struct tpacket3_hdr *)(map + 48))->tp_snaplen = BLOCK;	/* packet beyond the end */
	assert_true(ring_take(&r, &b));
	assert_true(ring_packet(&b, &p) < 0);

	block_put(map, TP_STATUS_USER, 2);
	packet_put(map, 48, 0, 60, 'a');			/* two packets, no way to the second */
	assert_true(ring_take(&r, &b));
	assert_true(ring_packet(&b, &p) < 0);

	block_put(map, TP_STATUS_USER, 0);			/* empty */
	assert_true(ring_take(&r, &b));
	assert_int_equal(ring_packet(&b, &p), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_blocks_in_turn),
		cmocka_unit_test(test_a_block_that_lies_is_not_followed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
