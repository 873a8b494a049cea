package import APIContract

/// `CompetitionState` in the description.
package struct CompetitionStateName: NamedValue {
    package static let name = "CompetitionState"
    package static let meaning: String? =
        "closed until a week before the first day, then open; running from the first to the last day; finished after it. For a day: open before it, running on its date, finished after it, and closed while the competition is"
    package static let traits: [SchemaTrait] = [.oneOf("closed", "open", "running", "finished")]

    package let content: String

    package init(_ content: String) { self.content = content }
}
