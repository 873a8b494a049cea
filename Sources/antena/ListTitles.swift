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
        help: "Only those of a section: featured, new, offers or free.",
        completion: .list(["featured", "new", "offers", "free"]))
    var section: String?

    @Option(help: "Only those of this genre.")
    var genre: String?

    func run() async throws {
        try await list.run(TitleKind.self, section: section, genre: genre, options)
    }
}
