package import APIContract

/// `WebhookURL` in the description.
package struct WebhookURL: NamedValue {
    package static let name = "WebhookURL"
    package static let meaning: String? =
        "an address that begins with https://; http:// on servers with --allow-private-imports"
    package static let traits: [SchemaTrait] = [
        .minimumLength(1), .maximumLength(1000), .pattern("^[Hh][Tt][Tt][Pp][Ss]?://"),
        .example("https://example.org/antena"),
    ]

    package let content: String

    package init(_ content: String) { self.content = content }
}
