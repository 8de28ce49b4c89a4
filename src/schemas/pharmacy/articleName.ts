/**
 * Name of an article for people. A SKU's own name may be its strength and form alone (`400 mg Filmtabletten`): the product's goes before it,
 * unless the SKU's contains it.
 */
export const articleName = (product: string, sku: string) =>
  sku.toLowerCase().includes(product.toLowerCase()) ? sku : `${product}, ${sku}`
