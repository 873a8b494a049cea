package import APIContract

/// The fields of the ways to get credits, as the operator has written them.
package struct CreditPurchaseFields: ObjectFields {
    package static let name = "CreditPurchase"
    package static let meaning: String? = "ways to get credits: `purchaseAddress` and `purchaseText` of channels.json"
    package static let fields = CreditPurchaseFields()

    package let address = Field<String?>(
        "address", "address at which the sender buys credits; null if there is none",
        .example("https://example.org/credits?user=ana"))
    package let text = Field<[String: String]>("text", "explanation by language (en, es)")

    package init() {}
}
