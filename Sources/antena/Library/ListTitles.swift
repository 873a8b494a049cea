import ArgumentParser

/// `antena title list`.
struct ListTitles: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List or search titles.",
        discussion: """
            Lists of a section or genre, and those by price, rating or relevance, have the titles that can be played.
            """)

    @OptionGroup var options: ServerOptions
    @OptionGroup var list: ListOptions

    @Option(
        help: "Only titles of a section: featured, new, offers or free.",
        completion: .list(["featured", "new", "offers", "free"]))
    var section: String?

    @Option(help: "Only titles of this genre.")
    var genre: String?

    @Option(
        help: """
            Only a kind: film, trailer, recording or member-video. Without it, all are listed, but lists of a \
            section or genre, and those by price, rating or relevance, have films.
            """,
        completion: .list(["film", "trailer", "recording", "member-video", "all"]))
    var kind: String?

    func run() async throws {
        let isOfFilms = section != nil || genre != nil || ["price", "rating", "relevance"].contains(list.sort)
        try await list.run(
            TitleKind.self, section: section, genre: genre, kind: kind ?? (isOfFilms ? nil : "all"), options)
    }
}
