package import Catalogue

extension TitleRecord {
    /// The path of a file of the storyboard: a sheet, or the index. `nil` if there is no storyboard.
    package func storyboardFile(named name: String) -> String? { storyboard.map { "\($0)/\(name)" } }
}
