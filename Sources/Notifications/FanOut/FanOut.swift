import Accounts
import Community
import Database
import MediaCore

/// Tells members of deeds, a batch in each transaction, so that the transaction that writes a deed stays short and one
/// that is interrupted goes on where it was.
struct FanOut: Sendable {
    /// Number of members who are told in one transaction.
    static let batchSize = 500
    /// The time after which a video whose title does not play yet is looked at again, and for how long.
    static let readinessInterval = Duration.seconds(30)
    static let readinessTime = Duration.seconds(7 * 86_400)

    let settings: NotificationSettings
    let accounts: Accounts
    let permissions: Permissions
    /// The members who have a webhook that wants notifications.
    let webhookOwners: Set<UserID>
    let now: WallClockTime
    var batchSize = Self.batchSize

    /// The outcome of a batch.
    enum Outcome: Sendable {
        /// There are more members to tell.
        case goesOn
        case finished
    }

    struct Told {
        var receiver: Receiver
        var kind: NotificationKind
        var topic: String
    }

    /// The members of a batch.
    struct Batch {
        var told: [Told] = []
        /// The place after which the next batch begins; `nil` if this is the last one.
        var next: String?
    }

    /// Tells the next batch of members of a deed.
    func step(_ number: Int64, _ db: any SQLConnection) throws -> Outcome {
        guard let waiting = try DeedRows.locked(number, db) else { return .finished }
        if waiting.deed.kind == .removal { return try remove(waiting, db) }
        guard let batch = try batch(of: waiting, db) else { return .finished }
        try tell(batch.told, of: waiting, db)
        if let next = batch.next {
            try DeedRows.setReached(next, number, db)
            return .goesOn
        }
        try DeedRows.setState(.done, number, db)
        return .finished
    }

    /// - Returns: `nil` if nobody is told now.
    private func batch(of waiting: WaitingDeed, _ db: any SQLConnection) throws -> Batch? {
        let deed = waiting.deed
        switch deed.kind {
        case .video: return try videoBatch(waiting, db)
        case .like: return try likeBatch(waiting, db)
        case .comment: return try commentBatch(waiting, db)
        case .follow: return try single(deed.receiver, .follower, "", by: deed.actor, db)
        case .decision: return try single(deed.receiver, .decision, deed.subject ?? "", db)
        case .rentalEnding: return try single(deed.receiver, .rentalEnding, deed.identity, db)
        case .uploadReady: return try single(deed.receiver, .uploadReady, deed.identity, db)
        case .uploadFailed: return try single(deed.receiver, .uploadFailed, deed.identity, db)
        case .channelLive: return try channelBatch(waiting, db)
        case .report: return try single(deed.receiver, .reported, deed.subject ?? "", db)
        case .reportWaiting: return try staffBatch(.reportWaiting, .moderate, .reports, waiting, db)
        case .supportMessage: return try staffBatch(.supportMessage, .manage, .system, waiting, db)
        case .topic: return try topicBatch(waiting, db)
        case .topicComment: return try topicCommentBatch(waiting, db)
        case .contactInvitation:
            return try single(deed.receiver, .contactInvitation, deed.subject ?? "", by: deed.actor, db)
        case .contactAdded: return try single(deed.receiver, .contactAdded, deed.subject ?? "", by: deed.actor, db)
        case .contactRefused:
            return try single(deed.receiver, .contactRefused, deed.subject ?? "", by: deed.actor, db)
        case .removal: return nil
        }
    }

    func withhold(_ waiting: WaitingDeed, _ db: any SQLConnection) throws -> Batch? {
        try DeedRows.setState(.withheld, waiting.number, db)
        return nil
    }

    // MARK: Kinds

    /// Everybody, each by what is nearest to them: whom they follow, then the competition, then that there is something
    /// new.
    private func videoBatch(_ waiting: WaitingDeed, _ db: any SQLConnection) throws -> Batch? {
        guard let video = waiting.deed.video, let subject = try DeedSubject.video(video, db), subject.isListed else {
            return try withhold(waiting, db)
        }
        guard subject.isReady else {
            guard waiting.happenedAt + Self.readinessTime > now else { return try withhold(waiting, db) }
            try DeedRows.postpone(waiting.number, until: now + Self.readinessInterval, db)
            return nil
        }
        let resource = try accounts.title(id: subject.title, db)
        let list = AudienceList(actor: waiting.deed.actor, competition: subject.competition)
        let receivers = try list.everybody(after: waiting.reached, limit: batchSize, db)
        return batch(receivers, of: waiting) { receiver in
            guard isAllowed(receiver, resource) else { return nil }
            if receiver.followsActor, wants(receiver, .followedVideo) { return (.followedVideo, "") }
            if receiver.followsCompetition, wants(receiver, .competitionVideo) {
                return (.competitionVideo, subject.competitionID ?? "")
            }
            return (.newVideo, "")
        }
    }

    /// The owner of the video first, then those who follow the member who likes it.
    private func likeBatch(_ waiting: WaitingDeed, _ db: any SQLConnection) throws -> Batch? {
        guard let video = waiting.deed.video, let actor = waiting.deed.actor,
            let subject = try DeedSubject.video(video, db), try DeedSubject.isLiked(video, by: actor, db)
        else { return try withhold(waiting, db) }
        let list = AudienceList(actor: actor, competition: subject.competition)
        if waiting.reached.isEmpty {
            var batch = try single(
                subject.owner.flatMap { $0 == actor ? nil : $0 }, .like, video.text, by: actor, db)
            batch.next = subject.isListed ? "0" : nil
            return batch
        }
        guard subject.isListed else { return try withhold(waiting, db) }
        let resource = try accounts.title(id: subject.title, db)
        let receivers = try list.followers(after: waiting.reached, limit: batchSize, db)
        return batch(receivers, of: waiting) { receiver in
            guard receiver.member.id != subject.owner, isAllowed(receiver, resource) else { return nil }
            return (.followedLike, "")
        }
    }

    private func commentBatch(_ waiting: WaitingDeed, _ db: any SQLConnection) throws -> Batch? {
        guard let video = waiting.deed.video, let subject = try DeedSubject.video(video, db),
            let comment = waiting.deed.comment, let answered = try DeedSubject.answered(by: comment, db)
        else { return try withhold(waiting, db) }
        let actor = waiting.deed.actor
        var batch = Batch()
        if let author = answered.author, author != actor {
            batch.told += try single(author, .reply, answered.id ?? "", by: actor, db).told
        }
        // The owner of the video whose comment is answered is told once.
        if let owner = subject.owner, owner != actor, owner != answered.author {
            batch.told += try single(owner, .comment, video.text, by: actor, db).told
        }
        return batch
    }

    private func channelBatch(_ waiting: WaitingDeed, _ db: any SQLConnection) throws -> Batch? {
        let name = waiting.deed.subject ?? ""
        // Channels have their audiences in `channels.json`, not in the database.
        let resource = accounts.audiences.channel(name)
        let receivers = try AudienceList().everybody(after: waiting.reached, limit: batchSize, db)
        return batch(receivers, of: waiting) { isAllowed($0, resource) ? (.channelLive, name) : nil }
    }

    /// The members whose role lets them do something, such as decide about reports.
    private func staffBatch(
        _ kind: NotificationKind, _ action: Action, _ resource: Resource, _ waiting: WaitingDeed,
        _ db: any SQLConnection
    ) throws -> Batch {
        let roles = Role.allCases.filter { role in
            let member = Member(id: UserID(), username: "", role: role)
            return permissions.may(.session(member, OpaqueID()), action, resource).isAllowed
        }
        let receivers = try AudienceList().everybody(of: roles, after: waiting.reached, limit: batchSize, db)
        return batch(receivers, of: waiting) { receiver in
            permissions.may(.session(receiver.member, OpaqueID()), action, resource).isAllowed ? (kind, "") : nil
        }
    }

    /// Removes a batch of the notifications about something that is gone.
    private func remove(_ waiting: WaitingDeed, _ db: any SQLConnection) throws -> Outcome {
        let subject: NotificationRows.Removed? =
            if let video = waiting.deed.video { .video(video) } else { waiting.deed.subject.map { .upload($0) } }
        if let subject, try NotificationRows.remove(about: subject, limit: batchSize, db) == batchSize {
            return .goesOn
        }
        try DeedRows.setState(.done, waiting.number, db)
        return .finished
    }

    // MARK: Members

    /// Whether a member is notified in any way. Activity of muted members notifies nobody.
    private func wants(_ receiver: Receiver, _ kind: NotificationKind) -> Bool {
        !receiver.mutesActor && !channels(of: receiver, kind).isEmpty
    }

    private func channels(of receiver: Receiver, _ kind: NotificationKind) -> NotificationChannels {
        let channels = receiver.channels(for: kind, of: settings.ways)
        return webhookOwners.contains(receiver.member.id) ? channels : channels.subtracting(.webhook)
    }

    func isAllowed(_ receiver: Receiver, _ resource: Resource) -> Bool {
        permissions.may(.session(receiver.member, OpaqueID()), .read, resource).isAllowed
    }

    private func single(
        _ user: UserID?, _ kind: NotificationKind, _ topic: String, by actor: UserID? = nil, _ db: any SQLConnection
    ) throws -> Batch {
        guard let user, let receiver = try AudienceList(actor: actor).member(user, db), wants(receiver, kind) else {
            return Batch()
        }
        return Batch(told: [Told(receiver: receiver, kind: kind, topic: topic)])
    }

    func batch(
        _ receivers: [Receiver], of waiting: WaitingDeed,
        _ kind: (Receiver) -> (kind: NotificationKind, topic: String)?
    ) -> Batch {
        let told = receivers.compactMap { receiver -> Told? in
            guard receiver.member.id != waiting.deed.actor, let found = kind(receiver), wants(receiver, found.kind)
            else { return nil }
            return Told(receiver: receiver, kind: found.kind, topic: found.topic)
        }
        return Batch(told: told, next: receivers.count == batchSize ? receivers.last?.place : nil)
    }

    private func tell(_ told: [Told], of waiting: WaitingDeed, _ db: any SQLConnection) throws {
        let window = max(1, settings.window.wholeMilliseconds)
        let time = waiting.happenedAt.millisecondsSince1970
        let begin = WallClockTime(millisecondsSince1970: time - time % window)
        let groups = Dictionary(grouping: told) { told in
            NewNotification(
                kind: told.kind, topic: told.topic, deed: waiting.number, windowAt: begin, changedAt: now,
                windowEndsAt: begin + settings.window)
        }
        for (new, told) in groups.sorted(by: { $0.key.kind.rawValue < $1.key.kind.rawValue }) {
            try NotificationRows.add(
                new,
                to: told.map { (id: $0.receiver.member.id, channels: channels(of: $0.receiver, new.kind)) }, db)
        }
    }
}
