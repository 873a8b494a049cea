package import APIContract

/// `ExpiringCredits` in the description.
package struct ExpiringCredits: NamedValue {
    package static let name = "ExpiringCredits"
    package static let meaning: String? = "credits that end unless they are spent, the soonest first"
    package static let traits: [SchemaTrait] = [.maximumCount(20)]

    package let content: [APIObject<ExpiringCreditFields>]

    package init(_ content: [APIObject<ExpiringCreditFields>]) { self.content = content }
}
