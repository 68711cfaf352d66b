/* Scene files read another way: jansson makes a tree of the text, the tree is walked, its leaves are set.
 * What the core's own reader is compared with. */
#ifndef CT_TEST_JSON_ORACLE_H
#define CT_TEST_JSON_ORACLE_H

#include <contatto/doc.h>
#include <jansson.h>

/* Null when jansson does not take it for JSON. Whole numbers are read as real ones: a scene has no others,
 * and jansson would refuse those beyond 64 bits. */
json_t *oracle_parse(const char *text, size_t length);

/* Objects and lists within one another, the outermost included. */
uint32_t oracle_depth(const json_t *tree);

/* False when jansson cannot say, because a whole number is beyond 64 bits. */
bool oracle_version(const char *text, size_t length, const json_t *tree, const char *name, ct_result *result,
                    ct_error *error);

/* Every leaf of a tree whose version is right. */
ct_result oracle_fill(ct_doc *doc, const char *name, const json_t *tree, ct_error *error);

#endif
