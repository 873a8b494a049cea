import SiteTexts

/// The rules of the forum that come with the program, in Markdown, a line each.
struct TopicRulesText: SiteTextSection {
    static let section = "forumRules"

    let rules: [String]
}
