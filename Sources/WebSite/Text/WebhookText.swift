import SiteTexts

/// The texts of the page of webhooks, in one language.
struct WebhookText: SiteTextSection {
    static let section = "webhooks"

    let heading, introduction, none, add, address, typesField, types, summary, test, remove, done: String
    let works, fails, off, stopped, secretText: String
}
