package import Forum
package import SiteTexts

/// The rules of the forum: those that an operator has written, or those of the program.
package enum TopicRules {
    /// The languages in which there are rules.
    package static var languages: [SiteLanguage] { SiteLanguage.allCases }

    package static func rules(_ language: SiteLanguage, _ forum: Forum) async throws -> ForumRules {
        let own = try await forum.ownRules(language.rawValue)
        return ForumRules(
            language: language.rawValue, text: own ?? TopicRulesText.of(language).rules.joined(separator: "\n"),
            isOwn: own != nil)
    }
}
