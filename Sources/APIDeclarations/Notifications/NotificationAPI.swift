package import APIContract
import MediaCore

/// The operations of the API for notifications.
package enum NotificationAPI {
    package static let listNotifications = APIOperation(
        .get, "/api/v1/me/notifications", "listNotifications",
        "What the sender is told, the one that changed last first",
        "Everything of one kind and topic that has happened in an hour is one notification, with its number and the newest three things.",
        parameters: [.cursor, .limit], answer: .object(NotificationListFields.self, "Notifications")
    )
    .refusing(.invalidCursor)

    package static let markNotificationsRead = APIOperation(
        .post, "/api/v1/me/notifications/read", "markNotificationsRead", "Mark notifications as read",
        body: APIBody(.json(ReadNotificationsFields.self), meaning: "Without a field, all are marked."),
        answer: .object(UnreadNotificationsFields.self, "The number of those that are still unread")
    )
    .refusing(.notFound, .missingFields)

    package static let getNotificationPreferences = APIOperation(
        .get, "/api/v1/me/notifications/preferences", "getNotificationPreferences",
        "The sender's notification preferences", answer: .object(NotificationPreferencesFields.self, "Preferences"))

    package static let setNotificationPreferences = APIOperation(
        .put, "/api/v1/me/notifications/preferences", "setNotificationPreferences", "Set all preferences",
        body: APIBody(.json(NotificationPreferencesFields.self)),
        answer: .object(NotificationPreferencesFields.self, "Preferences")
    )
    .refusing(.missingFields)

    package static let changeNotificationPreferences = APIOperation(
        .patch, "/api/v1/me/notifications/preferences", "changeNotificationPreferences",
        "Change the preferences of some groups", body: APIBody(.json(NotificationPreferencesChangeFields.self)),
        answer: .object(NotificationPreferencesFields.self, "Preferences"))

    package static let streamNotifications = APIOperation(
        .get, "/api/v1/me/notifications/events", "streamNotifications",
        "Changes of the sender's notifications, as server-sent events",
        "The stream does not end. Events are named `notifications`; `data` is a JSON object with the number of `unread` ones, the `items` that have changed (by something new, or because another device has read them), and `incomplete`, which is true if there are too many to list. The first event has the number. A client that sends the `id` of the last event in Last-Event-ID gets what has changed since. 503 if too many devices listen.",
        parameters: [
            .header(
                Field<String>(
                    "Last-Event-ID", "`id` of the last event that the client has seen", .optional,
                    .pattern("^[0-9]{1,18}$")))
        ], answer: .content("Events", APIContent("text/event-stream", String.self))
    )
    .failing(with: APIProblem(422, .notValid))

    package static let listPushSubscriptions = APIOperation(
        .get, "/api/v1/me/push-subscriptions", "listPushSubscriptions",
        "The browsers of the sender that get push messages (RFC 8030), the newest first",
        "404 if the server sends no push messages.", answer: .object(PushSubscriptionListFields.self, "Browsers")
    )
    .failing(with: APIProblem(404, .notFound))

    package static let addPushSubscription = APIOperation(
        .post, "/api/v1/me/push-subscriptions", "addPushSubscription", "Add a browser that gets push messages",
        "The fields are those of PushSubscription.toJSON() in the browser. The 21st browser of a member takes the place of the oldest.",
        body: APIBody(.json(NewPushSubscriptionFields.self)),
        answer: .object(PushSubscriptionFields.self, "The browser", status: 201)
    )
    .refusing(.missingFields)
    .failing(with: APIProblem(404, .notFound))

    package static let deletePushSubscription = APIOperation(
        .delete, "/api/v1/me/push-subscriptions/{id}", "deletePushSubscription",
        "Remove a browser that gets push messages", parameters: [.id], answer: .nothing("Removed"))
}
