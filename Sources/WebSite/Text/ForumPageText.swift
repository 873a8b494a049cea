import Forum
import HTTPEndpoints
import MediaCore
import SiteTexts
import Workflows

/// The texts of the pages of the forum. Templates read the fields by name, as in `{{f.forum}}`.
struct ForumPageText: SiteTextSection {
    static let section = "forum"

    let language: SiteLanguage
    let forum, introduction, categories, latest, noTopics, noCategories, newTopic, searchForum, search,
        nothingFound: String
    let rules, editRules, rulesText, acceptRules, accept, accepted: String
    let title, text, textHelp, category, notifies, notifiesAll, send, save, begin, comment: String
    let first, previous, next, last, latestComment: String
    let pinned, locked, hidden, hiddenComment, deleted, edited, muted, showAll: String
    let quote, edit, delete, report, reported, follow, silence, usual, moderation, lock, unlock, pin, unpin,
        move: String
    let logInToTakePart, titleTooShort, titleEmpty, titleExists, commentEmpty, mustAccept, isLocked, tooMuch: String
    let manageCategories, name, about, place, create, nameExists, hasTopics, aboutChannel, aboutTitle: String
    let pageOf, comments, topics: PluralText

    /// The reason of an error, in the language of the page.
    func sentence(_ error: Refusal, _ account: AccountText) -> String {
        switch (error.code, error.field) {
        case (.emptyField, "title"): titleEmpty
        case (.invalidField, "title") where error.facts["minimumLength"] != nil:
            titleTooShort.filled("count", with: "\(ForumTopic.titleLengths.lowerBound)")
        case (.conflict, "title"): titleExists
        case (.emptyField, "text"): commentEmpty
        case (.conflict, "acceptsRules"): mustAccept
        case (.conflict, "name"): nameExists
        case (.tooManyAttempts, _): tooMuch
        case _ where error == Forum.locked: isLocked
        default: account.error(error)
        }
    }
}
