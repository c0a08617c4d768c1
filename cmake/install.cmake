# `cmake --install` puts headers, libraries and a package file, so that find_package(pliant) works.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(_libraries pliant)
if(PLIANT_F64)
  list(APPEND _libraries pliant_f64)
endif()
install(TARGETS ${_libraries} EXPORT pliantTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/pliant DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT pliantTargets NAMESPACE pliant:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pliant)
set(_dependencies "find_dependency(Threads)\n")
if(pugixml_FOUND)
  string(APPEND _dependencies "find_dependency(pugixml)\n")
endif()
file(WRITE ${PROJECT_BINARY_DIR}/pliantConfig.cmake
  "include(CMakeFindDependencyMacro)\n${_dependencies}"
  "include(\${CMAKE_CURRENT_LIST_DIR}/pliantTargets.cmake)\n")
write_basic_package_version_file(${PROJECT_BINARY_DIR}/pliantConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/pliantConfig.cmake ${PROJECT_BINARY_DIR}/pliantConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pliant)
