package import MediaCore

/// The parts of a result as lists, documents and messages show them.
extension MatchSummary {
    /// The side that is named first: the winner, or the first one of a draw.
    package var firstSide: MatchSide { winner ?? .a }

    /// The time at which the match ended, or was created if it has not ended.
    package var resultTime: CivilTime {
        CivilTime(millisecondsSince1970: (endedAt ?? createdAt).millisecondsSince1970)
    }

    /// Whole minutes between the first event and the end; `nil` before the end.
    package var minutes: Int? {
        guard let startedAt, let endedAt else { return nil }
        return Int((endedAt - startedAt) / .seconds(60))
    }

    /// The names of a side, such as "Ana Núñez / Eva Ruiz" in doubles.
    package func name(of side: MatchSide) -> String { names[side].joined(separator: " / ") }

    /// The same with the countries of the players in brackets, if they are known.
    package func nameWithCountries(of side: MatchSide) -> String {
        let codes = countries[side].joined(separator: " / ")
        return codes.isEmpty ? name(of: side) : "\(name(of: side)) (\(codes))"
    }

    /// Limit of ``shareText(maximumLength:)`` in messages of social networks.
    package static let maximumShareLength = 140

    /// The result in a line for a message, the winner first: "Ana – Berta 15-10, 9-15, 11-7 (Open)".
    ///
    /// A text that is too long loses the competition first; then its names are shortened between characters as people
    /// see them.
    ///
    /// - Parameter maximumLength: limit in UTF-16 code units, so that the text is no longer by any other count.
    package func shareText(maximumLength: Int = maximumShareLength) -> String {
        let score = scoreText.isEmpty ? "" : " \(scoreText)"
        let (first, second) = (name(of: firstSide), name(of: firstSide.other))
        let text = "\(first) – \(second)\(score)"
        if !competition.isEmpty {
            let whole = "\(text) (\(competition))"
            if whole.utf16.count <= maximumLength { return whole }
        }
        guard text.utf16.count > maximumLength else { return text }
        let room = max(0, maximumLength - score.utf16.count - 3)
        // A short name leaves its room to the other one.
        let half = room / 2
        let firstRoom = second.utf16.count < half ? room - second.utf16.count : half
        let shortFirst = first.shortened(to: firstRoom)
        let shortSecond = second.shortened(to: room - shortFirst.utf16.count)
        return "\(shortFirst) – \(shortSecond)\(score)".shortened(to: maximumLength)
    }
}

extension String {
    /// The text, or its beginning with an ellipsis if it is longer than so many UTF-16 code units. No character is
    /// taken apart.
    fileprivate func shortened(to length: Int) -> String {
        guard utf16.count > length else { return self }
        var (result, count) = ("", 1)
        for character in self {
            count += character.utf16.count
            guard count <= length else { break }
            result.append(character)
        }
        while result.last?.isWhitespace == true { result.removeLast() }
        return length < 1 ? "" : "\(result)…"
    }
}
