/* The nodes of a document's tree. Named children and columns are found by hash. */
#include "base/grow.h"
#include "document/doc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

char *ct_doc_copy_text(const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  if (copy)
    memcpy(copy, text, size);
  return copy;
}

void ct_node_free(ct_node *node) {
  if (!node)
    return;
  for (uint32_t i = 0; i < CT_FIELDS_MOST; i++)
    free(node->text[i]);
  for (uint32_t k = 0; k < CT_KIDS_KINDS; k++) {
    for (uint32_t i = 0; i < node->kids[k].count; i++)
      ct_node_free(node->kids[k].items[i]);
    free(node->kids[k].items);
    ct_names_clear(&node->kids[k].names);
  }
  for (uint32_t i = 0; i < node->column_count; i++) {
    free(node->columns[i].name);
    free(node->columns[i].values);
  }
  free(node->columns);
  ct_names_clear(&node->column_names);
  ct_doc_forget_object(node);
  free(node->name);
  free(node);
}

static const char *node_name(const void *list, uint32_t index) {
  return ((const ct_node_list *)list)->items[index]->name;
}

ct_node *ct_node_named(const ct_node_list *list, const char *name) {
  uint32_t index = ct_names_find(&list->names, name, node_name, list);
  return index == CT_NO_NAME ? NULL : list->items[index];
}

static ct_node *append(ct_node_list *list, const char *name) {
  bool room = ct_grow(&list->items, &list->room, list->count + 1, sizeof *list->items);
  ct_node *node = room ? calloc(1, sizeof *node) : NULL;
  if (!node)
    return NULL;
  list->items[list->count] = node;
  if (name &&
      (!(node->name = ct_doc_copy_text(name)) || !ct_names_add(&list->names, list->count, node_name, list))) {
    ct_node_free(node);
    return NULL;
  }
  list->count++;
  return node;
}

ct_node *ct_node_want_named(ct_node_list *list, const char *name, bool create) {
  ct_node *node = ct_node_named(list, name);
  return node || !create ? node : append(list, name);
}

ct_node *ct_node_want_numbered(ct_node_list *list, uint32_t index, bool create) {
  while (create && list->count <= index)
    if (!append(list, NULL))
      return NULL;
  return index < list->count ? list->items[index] : NULL;
}

static const char *column_name(const void *node, uint32_t index) {
  return ((const ct_node *)node)->columns[index].name;
}

const ct_column *ct_node_column(const ct_node *node, const char *name) {
  uint32_t index = ct_names_find(&node->column_names, name, column_name, node);
  return index == CT_NO_NAME ? NULL : &node->columns[index];
}

ct_column *ct_node_want_column(ct_node *node, const char *name) {
  uint32_t index = ct_names_find(&node->column_names, name, column_name, node);
  if (index != CT_NO_NAME)
    return &node->columns[index];
  if (!ct_grow(&node->columns, &node->column_room, node->column_count + 1, sizeof *node->columns))
    return NULL;
  ct_column *column = &node->columns[node->column_count];
  memset(column, 0, sizeof *column);
  if (!(column->name = ct_doc_copy_text(name)) ||
      !ct_names_add(&node->column_names, node->column_count, column_name, node)) {
    free(column->name);
    return NULL;
  }
  node->column_count++;
  return column;
}

double *ct_column_want_cell(ct_column *column, uint32_t index) {
  while (column && column->count <= index) {
    if (!ct_grow(&column->values, &column->room, column->count + 1, sizeof *column->values))
      return NULL;
    column->values[column->count++] = NAN;
  }
  return column ? &column->values[index] : NULL;
}

bool ct_node_holds(const ct_node *node, uint32_t row) { return node->set >> ct_row_slot(row) & 1; }

bool ct_node_has(const ct_node *node, ct_field field) { return ct_node_holds(node, ct_row_of(field)); }

double ct_node_number(const ct_node *node, ct_field field) {
  uint32_t row = ct_row_of(field);
  return ct_node_holds(node, row) ? node->number[ct_row_slot(row)] : ct_row_at(row)->shown.standard;
}

static const char *text_of(const ct_node *node, uint32_t row) {
  const char *text = node->text[ct_row_slot(row)];
  return text ? text : "";
}

const char *ct_node_text(const ct_node *node, ct_field field) { return text_of(node, ct_row_of(field)); }

void ct_node_store(ct_node *node, uint32_t row, double number, char *text) {
  uint32_t slot = ct_row_slot(row);
  free(node->text[slot]);
  node->text[slot] = text;
  node->number[slot] = number;
  node->set |= (uint64_t)1 << slot;
  node->brought &= ~((uint64_t)1 << slot);
}

void ct_node_give(const ct_node *node, ct_def_kind kind, void *def) {
  for (uint32_t i = 0; i < ct_schema_count(); i++) {
    const ct_row *row = ct_row_at(i);
    if (row->def != kind || row->bytes == 0)
      continue;
    const char *text = text_of(node, i);
    if (row->shown.type == CT_TYPE_TEXT)
      memcpy((unsigned char *)def + row->at, &text, sizeof text);
    else if (ct_node_holds(node, i))
      ct_row_put(row, def, node->number[ct_row_slot(i)]);
  }
}

/* ---- undoing: what a failed set made is bare; everything older ends in something set ---- */

static void prune_columns(ct_node *node) {
  for (uint32_t i = 0; i < node->column_count; i++)
    while (node->columns[i].count && isnan(node->columns[i].values[node->columns[i].count - 1]))
      node->columns[i].count--;
  while (node->column_count && node->columns[node->column_count - 1].count == 0) {
    node->column_count--;
    ct_names_remove(&node->column_names, node->column_count, column_name, node);
    free(node->columns[node->column_count].name);
    free(node->columns[node->column_count].values);
  }
}

static bool is_bare(const ct_node *node) {
  bool bare = !node->set && !node->column_count;
  for (uint32_t k = 0; k < CT_KIDS_KINDS; k++)
    bare &= node->kids[k].count == 0;
  return bare;
}

void ct_node_prune(ct_node *node) {
  prune_columns(node);
  for (uint32_t k = 0; k < CT_KIDS_KINDS; k++) {
    ct_node_list *list = &node->kids[k];
    for (uint32_t i = 0; i < list->count; i++)
      ct_node_prune(list->items[i]);
    while (list->count && is_bare(list->items[list->count - 1])) {
      list->count--;
      if (list->items[list->count]->name)
        ct_names_remove(&list->names, list->count, node_name, list);
      ct_node_free(list->items[list->count]);
    }
  }
}
