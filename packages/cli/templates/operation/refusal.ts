
it({{title}}, async () => {
  await expectRefused({{refused}});
});
