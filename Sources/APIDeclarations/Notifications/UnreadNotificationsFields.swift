package import APIContract

/// The fields of the answer to a request that marks notifications as read.
package struct UnreadNotificationsFields: ObjectFields {
    package static let name = "UnreadNotifications"
    package static let fields = UnreadNotificationsFields()

    package let unread = Field<UnreadCount>(
        "unread", "number of notifications that are still unread, counted up to 100")

    package init() {}
}
