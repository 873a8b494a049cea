/// The names of the channels that a new configuration has added, changed and removed.
package struct LiveChannelChanges: Sendable, Hashable {
    package var added: [String] = []
    package var changed: [String] = []
    package var removed: [String] = []

    package init() {}
}
