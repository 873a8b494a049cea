package import APIContract

/// The fields of the sender's credits, with a page of their movements.
package struct OwnCreditsFields: ObjectFields {
    package static let name = "OwnCredits"
    package static let fields = OwnCreditsFields()

    package let purchase = Field<APIObject<CreditPurchaseFields>>(
        "purchase", "ways to get credits: `purchaseAddress` and `purchaseText` of channels.json")
    package let balance = Field<Int>("balance", "number of credits that the member has", .minimum(0))
    package let expiring = Field<ExpiringCredits>(
        "expiring", "credits that end unless they are spent, the soonest first")
    package let items = Field<[APIObject<CreditMovementFields>]>("items", "movements of this page, newest first")
    package let next = Field<NextCursor>("next", "cursor of the next page; null on the last one")

    package init() {}
}
