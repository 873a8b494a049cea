import SiteTexts

/// The texts of lists that tell no results.
struct SpoilerText: SiteTextSection {
    static let section = "spoilers"

    let hide, showAll, reveal, revealOf, showBoard: String
}
