package import Accounts

/// A part of the forum: a category of the operators, or the topics about a channel or a title.
package struct ForumCategory: Sendable, Hashable {
    /// The texts are stored and never change.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Made by an operator.
        case general
        case channel, title
    }

    var number: Int64
    package var id: OpaqueID
    package var kind: Kind
    /// The name of the channel, or the ID of the title; for a category of the operators its name without case and
    /// accents.
    package var subject: String
    /// Empty for the topics about a channel or title, which has a name of its own.
    package var name: String
    /// The operator's description.
    package var text: String
    /// The position in the list.
    package var place: Int64
    /// Number of the topics that are shown.
    package var topics: Int64

    /// A category about a channel or title of which nobody talks yet.
    package init(empty kind: Kind, subject: String) {
        self.init(
            number: 0, id: OpaqueID(), kind: kind, subject: subject, name: "", text: "", place: 0, topics: 0)
    }

    init(
        number: Int64, id: OpaqueID, kind: Kind, subject: String, name: String, text: String, place: Int64,
        topics: Int64
    ) {
        (self.number, self.id, self.kind, self.subject) = (number, id, kind, subject)
        (self.name, self.text, self.place, self.topics) = (name, text, place, topics)
    }

    /// Whether there is such a category.
    package var isMade: Bool { number > 0 }

    /// Limits of the name and the description in characters.
    package static let maximumNameLength = 80
    package static let maximumTextLength = 500
    /// Limit of the categories of the operators.
    package static let maximumCount = 200
    /// Limit of the position in the list.
    package static let maximumPlace: Int64 = 1_000_000
}
