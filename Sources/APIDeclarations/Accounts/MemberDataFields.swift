package import APIContract

/// The fields of all data that the server has about the sender.
package struct MemberDataFields: ObjectFields {
    package static let name = "MemberData"
    package static let fields = MemberDataFields()

    package let account = Field<APIObject<AccountFields>>("account", "account of the sender")
    package let photo = Field<String?>("photo", "photo as JPEG, in base64; null without one", .format("byte"))
    package let sessions = Field<[APIObject<SessionFields>]>("sessions", "sessions of the account")
    package let tokens = Field<[APIObject<TokenFields>]>(
        "tokens", "API tokens and app passwords of the account, without their secrets")
    package let webhooks = Field<[APIObject<WebhookFields>]>(
        "webhooks", "webhooks of the account, without their secrets")
    package let credits = Field<[APIObject<CreditMovementFields>]>(
        "credits", "newest movements of credits; /api/v1/me/credits.csv has all of them", .maximumCount(10000))
    package let rentals = Field<[APIObject<RentalFields>]>(
        "rentals", "newest rentals; /api/v1/me/rentals has all of them", .maximumCount(10000))
    package let competitions = Field<[APIObject<FollowedCompetitionFields>]>(
        "competitions", "competitions that the sender follows", .maximumCount(10000))
    package let notifications = Field<[APIObject<NotificationFields>]>(
        "notifications", "newest notifications", .maximumCount(500))
    package let notificationPreferences = Field<APIObject<NotificationPreferencesFields>?>(
        "notificationPreferences", "ways by which the sender is notified")
    package let community = Field<APIObject<MemberCommunityDataFields>?>(
        "community", "activity in the community, with at most 10,000 entries of each kind")
    package let announcements = Field<[APIObject<AnnouncementFields>]>(
        "announcements", "announcements that the sender has written")
    package let positions = Field<[APIObject<PositionFields>]>(
        "positions", "places at which the sender can go on watching", .maximumCount(1000))
    package let scores = Field<[APIObject<EnteredScoreFields>]>(
        "scores", "newest events of matches that the sender has entered as a referee", .maximumCount(10000))
    package let hidesResults = Field<Bool>(
        "hidesResults", "whether results of matches that the sender has not watched are left out")
    package let watchedMatches = Field<[String]>(
        "watchedMatches", "matches whose end the sender has watched, if results are left out", .maximumCount(1000))
    package let strategies = Field<[APIObject<StrategyDrawingFields>]>(
        "strategies", "drawings that the sender has saved on the strategy board", .maximumCount(100))
    package let messagingPreferences = Field<APIObject<MessagingPreferencesFields>>(
        "messagingPreferences", "choices of the sender about contacts and messages")
    package let contacts = Field<[APIObject<ContactFields>]>(
        "contacts", "contacts of the sender", .maximumCount(5000))
    package let contactInvitations = Field<[APIObject<ContactInvitationFields>]>(
        "contactInvitations", "invitations that the sender has sent and received", .maximumCount(5000))
    package let conversations = Field<[APIObject<ConversationFields>]>(
        "conversations", "conversations of the sender; the archive has their messages", .maximumCount(10000))
    package let votes = Field<[APIObject<MemberVoteFields>]>("votes", "votes for titles", .maximumCount(10000))

    package init() {}
}
