package import APIContract

/// The fields of a page of the sender's notifications.
package struct NotificationListFields: ObjectFields {
    package static let name = "NotificationList"
    package static let fields = NotificationListFields()

    package let items = Field<[APIObject<NotificationFields>]>(
        "items", "notifications of this page, the one that changed last first")
    package let next = Field<NextCursor>("next", "cursor of the next page; null on the last one")
    package let unread = Field<UnreadCount>("unread", "number of unread notifications, counted up to 100")

    package init() {}
}
