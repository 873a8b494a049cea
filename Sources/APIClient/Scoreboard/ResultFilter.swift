import APIContract
import APIDeclarations

/// Which results a command wants.
package struct ResultFilter: Sendable {
    /// IDs of matches; empty for all.
    var ids: [String]
    var channel, player, competition: String?
    /// The first and the last day, such as "2026-11-30".
    var from, until: String?

    package init(
        ids: [String] = [], channel: String? = nil, player: String? = nil, competition: String? = nil,
        from: String? = nil, until: String? = nil
    ) {
        (self.ids, self.channel, self.player, self.competition) = (ids, channel, player, competition)
        (self.from, self.until) = (from, until)
    }

    var query: [(name: String, value: String?)] {
        [
            ("ids", ids.isEmpty ? nil : ids.joined(separator: ",")), ("channel", channel), ("player", player),
            ("competition", competition), ("from", from), ("until", until),
        ]
    }

    func mail(to addresses: [String]) -> APIObject<ResultMailFields> {
        ResultMailFields.request { mail in
            [
                mail.addresses(addresses), ids.isEmpty ? nil : mail.ids(ids), channel.map { mail.channel($0) },
                player.map { mail.player($0) }, competition.map { mail.competition($0) },
                from.map { mail.from($0) }, until.map { mail.until($0) },
            ]
        }
    }
}
