import LibraryDetails

/// A list of playable titles. Films stand on all shelves but those of the other kinds. Each title has a row for each
/// shelf that it stands on, with all that lists are ordered by, so that every list of every order is read from an
/// index.
struct Shelf: Sendable, Hashable {
    /// The key of the shelf in the table.
    let name: String
    /// How the genre is written; empty for other shelves.
    let label: String

    /// All playable films.
    static let all = Shelf(kind: .film)
    static let featured = Shelf(name: "featured", label: "")
    static let offers = Shelf(name: "offers", label: "")
    static let free = Shelf(name: "free", label: "")

    /// The prefix of the names of genres' shelves.
    static let genrePrefix = "genre:"
    /// An upper bound for the names of genres' shelves.
    static let genreEnd = "genre;"

    private init(name: String, label: String) { (self.name, self.label) = (name, label) }

    /// All playable titles of a kind.
    init(kind: TitleKind) {
        self.init(name: kind == .film ? "all" : "kind:\(kind.rawValue)", label: "")
    }

    /// The recordings of a channel.
    init(channel: String) { self.init(name: "channel:\(channel)", label: "") }

    init(genre: String) {
        self.init(name: Self.genrePrefix + SearchText(genre).folded, label: genre)
    }

    /// The shelves that a title stands on.
    static func shelves(of title: TitleRecord, _ listing: TitleListing) -> Set<Shelf> {
        guard title.state == .ready else { return [] }
        guard title.kind == .film else {
            return Set([Shelf(kind: title.kind), title.recordedChannel.map(Shelf.init(channel:))].compactMap(\.self))
        }
        var shelves: Set<Shelf> = [all]
        if listing.isFeatured { shelves.insert(featured) }
        if let regular = listing.regularPrice, regular > listing.price { shelves.insert(offers) }
        if listing.price == 0 { shelves.insert(free) }
        for genre in title.details.texts(.genres) ?? [] { shelves.insert(Shelf(genre: genre)) }
        return shelves
    }

    // A genre that is written in two ways is one shelf.
    static func == (left: Shelf, right: Shelf) -> Bool { left.name == right.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension TitleRecord {
    /// The channel of a recording, whose folder is named after it; `nil` for a title of another kind.
    fileprivate var recordedChannel: String? {
        let path = file.split(separator: "/")
        return kind == .recording && path.count > 2 ? String(path[1]) : nil
    }
}
