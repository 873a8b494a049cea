import Accounts
import Community
import Notifications
import SupportInbox
import VideoClub
import Webhooks

/// What all parts of the server do when an account is deleted, and when its credentials end.
struct AccountEnding {
    let accounts: Accounts
    let community: Community
    let notifications: Notifications

    /// Has everything done from now on, each in the transaction of the accounts.
    func register() {
        accounts.beforeRemoval { [community, notifications] user, db in
            try notifications.forget(user, db)
            try community.forget(user, db)
            try Webhooks.forget(user, db)
            try VideoClub.forget(user, db)
            try SupportInbox.forget(user, db)
        }
        accounts.whenCredentialsEnd { user, db in
            try Notifications.unsubscribeAll(of: user, db)
            try VideoClub.removeDevices(of: user, db)
            try Webhooks.turnOff(of: user, db)
        }
    }
}
