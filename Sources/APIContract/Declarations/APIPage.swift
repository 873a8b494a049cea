package import JSONDocument

/// One page of a list: `items`, and the cursor of the next page, which is `null` on the last one.
package struct APIPage<Fields: ObjectFields>: APIValue {
    package let items: [APIObject<Fields>]
    package let next: String?

    /// - Parameters:
    ///   - items: the items of the page.
    ///   - next: the cursor of the next page; `nil` on the last page.
    package init(_ items: [APIObject<Fields>], next: String? = nil) { (self.items, self.next) = (items, next) }

    package static func schema(_ components: inout SchemaComponents) -> JSONText {
        .object([
            ("type", .string("object")), ("required", .array([.string("items"), .string("next")])),
            (
                "properties",
                .object([
                    ("items", [APIObject<Fields>].schema(&components)), ("next", NextCursor.schema(&components)),
                ])
            ),
        ])
    }
    package static var example: JSONText { .object([("items", [APIObject<Fields>].example), ("next", .null)]) }

    package var json: JSONText { .object([("items", items.json), ("next", next.json)]) }

    package init?(json: JSONText) {
        guard let items = json["items"].flatMap([APIObject<Fields>].init(json:)) else { return nil }
        self.init(items, next: json["next"].flatMap(String.init(json:)))
    }
}
