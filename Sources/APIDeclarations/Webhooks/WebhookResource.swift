package import APIContract

/// `WebhookResource` in the description.
package struct WebhookResource: NamedValue {
    package static let name = "WebhookResource"
    package static let meaning: String? = "a kind and a name, such as channel/canalA; null for all"
    package static let traits: [SchemaTrait] = [
        .maximumLength(200), .pattern("^(channel|title|track|job|account|member)/"), .example("channel/canalA"),
    ]

    package let content: String?

    package init(_ content: String?) { self.content = content }
}
