extension ServerClient {
    /// Which titles or tracks of a list are wanted, as the API names them; `nil` for no choice.
    package struct ListRequest: Sendable {
        /// Beginnings of words.
        package var words: String?
        package var order: String?
        package var state: String?
        /// The section of the video club; for titles.
        package var section: String?
        /// The genre; for titles.
        package var genre: String?

        /// The kind of titles.
        package var kind: String?

        package init(
            words: String? = nil, order: String? = nil, state: String? = nil, section: String? = nil,
            genre: String? = nil, kind: String? = nil
        ) {
            (self.words, self.order, self.state, self.section, self.genre) = (words, order, state, section, genre)
            self.kind = kind
        }

        /// The parameters of the request.
        var query: [(name: String, value: String?)] {
            [
                ("q", words), ("sort", order), ("state", state), ("section", section), ("genre", genre), ("kind", kind),
            ]
        }
    }
}
