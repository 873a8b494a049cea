package import MediaCore

/// The conditions on which a title is watched.
package struct TitleTerms: Sendable, Hashable {
    /// Credits for a rental; 0 if it is free.
    package var price: Int64 = 0
    /// The regular price of a rental, if it costs less now: lists have the title among the offers; `nil` otherwise.
    package var regularPrice: Int64?
    /// Whether lists have the title among those that the operator recommends.
    package var isFeatured = false
    /// Whether a title that is free needs a rental all the same. One that costs something always does.
    package var asksForFreeRental = false
    /// The time in which a rental has to be activated; `nil` for no limit.
    package var timeToStart: Duration?
    /// The time for which an activated rental can be watched; `nil` for that of ``ClubSettings``.
    package var timeToPlay: Duration?
    /// The ID of the title that is the trailer; `nil` without one.
    package var trailer: String?
    /// A number that changes with each change; 0 for a title without terms of its own.
    package var revision: Int64 = 0

    package init() {}

    /// Whether somebody has to rent the title.
    package var needsRental: Bool { price > 0 || asksForFreeRental }

    /// Limit of the price.
    package static let maximumPrice: Int64 = 100_000
    /// The limits of both times, in whole minutes.
    package static let timeRange: ClosedRange<Duration> = .seconds(60)...(.seconds(3_650 * 86_400))

    /// - Throws: `Refusal` with `invalidField`.
    package func check() throws(Refusal) {
        guard (0...Self.maximumPrice).contains(price) else {
            throw Refusal(.invalidField, "a price is 0 to \(Self.maximumPrice) credits", field: "price")
        }
        if let regularPrice {
            guard (0...Self.maximumPrice).contains(regularPrice), regularPrice > price else {
                throw Refusal(
                    .invalidField,
                    "a regular price must be higher than the price, and at most \(Self.maximumPrice) credits",
                    field: "regularPrice")
            }
        }
        for (name, time) in [("minutesToStart", timeToStart), ("minutesToPlay", timeToPlay)] {
            guard let time, !Self.timeRange.contains(time) else { continue }
            throw Refusal(.invalidField, "a time must be from 1 minute to 10 years", field: name)
        }
    }
}
